/** Text from outside on a terminal: control and bidi characters could move the cursor or change what was printed. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '\ufffd');
}
