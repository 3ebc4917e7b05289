/** Where a compiled file could be wrong: one changed operator, bound or constant at a time. */
import ts from 'typescript';

export interface Mutation {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly line: number;
  /** original and replacement, for people */
  readonly says: string;
}

const operatorSwaps: ReadonlyMap<ts.SyntaxKind, readonly string[]> = new Map([
  [ts.SyntaxKind.LessThanToken, ['<=', '>']],
  [ts.SyntaxKind.LessThanEqualsToken, ['<', '>']],
  [ts.SyntaxKind.GreaterThanToken, ['>=', '<']],
  [ts.SyntaxKind.GreaterThanEqualsToken, ['>', '<']],
  [ts.SyntaxKind.PlusToken, ['-']],
  [ts.SyntaxKind.MinusToken, ['+']],
  [ts.SyntaxKind.AsteriskToken, ['/']],
  [ts.SyntaxKind.SlashToken, ['*']],
  [ts.SyntaxKind.AmpersandAmpersandToken, ['||']],
  [ts.SyntaxKind.BarBarToken, ['&&']],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ['!==']],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, ['===']],
  [ts.SyntaxKind.QuestionQuestionToken, ['&&']],
]);

const callSwaps: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  floor: 'ceil',
  some: 'every',
  every: 'some',
};

export function mutationPoints(source: string): Mutation[] {
  const file = ts.createSourceFile('mutated.js', source, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const mutations: Mutation[] = [];
  const add = (node: ts.Node, replacement: string): void => {
    const start = node.getStart(file);
    const line = file.getLineAndCharacterOfPosition(start).line;
    const before = source.slice(start, node.end);
    const text = source.split('\n')[line]?.trim() ?? '';
    mutations.push({
      start,
      end: node.end,
      replacement,
      line: line + 1,
      says: `${before} → ${replacement}   ${text}`,
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node)) {
      for (const swap of operatorSwaps.get(node.operatorToken.kind) ?? []) add(node.operatorToken, swap);
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      add(node, source.slice(node.operand.getStart(file), node.operand.end));
    } else if (ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.parent)) {
      const swap = Object.hasOwn(callSwaps, node.name.text) ? callSwaps[node.name.text] : undefined;
      if (swap !== undefined && node.parent.expression === node) add(node.name, swap);
    } else if (ts.isNumericLiteral(node)) {
      add(node, node.text === '0' ? '1' : `(${node.text} * 1.01 + 1e-6)`);
    } else if (node.kind === ts.SyntaxKind.TrueKeyword) {
      add(node, 'false');
    } else if (node.kind === ts.SyntaxKind.FalseKeyword) {
      add(node, 'true');
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mutations;
}
