/**
 * A sentence encoder as an ONNX graph: a table of token vectors, the mean over the attention mask, length 1.
 *
 *     ids → Gather(table: int8) → Cast → × Gather(scales) → × mask → ReduceSum → ÷ Σ mask → ÷ max(‖·‖₂, ε)
 */
import onnxProto from 'onnx-proto';

const { onnx } = onnxProto;
type Node = ReturnType<typeof onnx.NodeProto.create>;
type Tensor = ReturnType<typeof onnx.TensorProto.create>;

export interface TokenTable {
  readonly tokens: number;
  readonly dimensions: number;
  /** row by row; a vector is `quantised` times the scale of its row */
  readonly quantised: Int8Array;
  /** one a row */
  readonly scales: Float32Array;
}

const opset = 17;
const { FLOAT, INT8, INT64 } = onnx.TensorProto.DataType;

/** The bytes of `model.onnx`; the same table gives the same bytes. */
export function tableGraph(table: TokenTable, name: string): Uint8Array {
  return modelBytes(name, value('sentence_embedding', FLOAT, ['texts', table.dimensions]), {
    tensors: [
      ...tableTensors(table),
      tensor('axis_tokens', INT64, [1], bytesOf(BigInt64Array.of(1n))),
      tensor('axis_last', INT64, [1], bytesOf(BigInt64Array.of(2n))),
      tensor('smallest', FLOAT, [1], bytesOf(Float32Array.of(1e-12))),
    ],
    nodes: [
      ...lookUp('vectors'),
      node('Cast', ['attention_mask'], 'mask_flat', [integer('to', FLOAT)]),
      node('Unsqueeze', ['mask_flat', 'axis_last'], 'mask'),
      node('Mul', ['vectors', 'mask'], 'masked'),
      node('ReduceSum', ['masked', 'axis_tokens'], 'sum', [integer('keepdims', 0)]),
      node('ReduceSum', ['mask', 'axis_tokens'], 'weight', [integer('keepdims', 0)]),
      node('Max', ['weight', 'smallest'], 'divisor'),
      node('Div', ['sum', 'divisor'], 'mean'),
      node('ReduceL2', ['mean'], 'length', [integers('axes', [1]), integer('keepdims', 1)]),
      node('Max', ['length', 'smallest'], 'safe_length'),
      node('Div', ['mean', 'safe_length'], 'sentence_embedding'),
    ],
  });
}

/** The same table without pooling: one vector a token, as transformers give them. */
export function tokenVectorGraph(table: TokenTable, name: string): Uint8Array {
  return modelBytes(name, value('last_hidden_state', FLOAT, ['texts', 'tokens', table.dimensions]), {
    tensors: tableTensors(table),
    nodes: lookUp('last_hidden_state'),
  });
}

function tableTensors({ tokens, dimensions, quantised, scales }: TokenTable): Tensor[] {
  return [
    tensor('table', INT8, [tokens, dimensions], bytesOf(quantised)),
    tensor('scales', FLOAT, [tokens, 1], bytesOf(scales)),
  ];
}

function lookUp(output: string): Node[] {
  return [
    node('Gather', ['table', 'input_ids'], 'rows_int8'),
    node('Cast', ['rows_int8'], 'rows', [integer('to', FLOAT)]),
    node('Gather', ['scales', 'input_ids'], 'row_scales'),
    node('Mul', ['rows', 'row_scales'], output),
  ];
}

function modelBytes(
  name: string,
  output: ReturnType<typeof value>,
  { tensors, nodes }: { tensors: Tensor[]; nodes: Node[] },
): Uint8Array {
  const graph = onnx.GraphProto.create({
    name,
    input: [input('input_ids'), input('attention_mask')],
    output: [output],
    initializer: tensors,
    node: nodes,
  });
  return onnx.ModelProto.encode(
    onnx.ModelProto.create({
      irVersion: 8,
      producerName: 'drivemcp',
      opsetImport: [{ domain: '', version: opset }],
      graph,
    }),
  ).finish();
}

function input(name: string) {
  return value(name, INT64, ['texts', 'tokens']);
}

function value(name: string, elemType: number, shape: readonly (number | string)[]) {
  const dim = shape.map((size) => (typeof size === 'string' ? { dimParam: size } : { dimValue: size }));
  return onnx.ValueInfoProto.create({ name, type: { tensorType: { elemType, shape: { dim } } } });
}

function tensor(name: string, dataType: number, dims: number[], rawData: Uint8Array) {
  return onnx.TensorProto.create({ name, dataType, dims, rawData });
}

function node(opType: string, inputs: string[], output: string, attribute: object[] = []): Node {
  return onnx.NodeProto.create({ opType, input: inputs, output: [output], name: output, attribute });
}

function integer(name: string, i: number): object {
  return { name, type: onnx.AttributeProto.AttributeType.INT, i };
}

function integers(name: string, values: number[]): object {
  return { name, type: onnx.AttributeProto.AttributeType.INTS, ints: values };
}

/** ONNX wants little-endian, which is what every machine that runs this has. */
function bytesOf(data: Int8Array | Float32Array | BigInt64Array): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
