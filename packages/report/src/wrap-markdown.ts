/** Columns of a line of Markdown. */
const COLUMNS = 100;

/** The beginnings of lines outside paragraphs: tables, headings, pictures, lists, quotes, code. */
const OTHER_LINE = /^(\||#|!\[|[-*>] |\d+\. |```| {2,})/;

/** Wraps the paragraphs of Markdown at 100 columns, but not tables, headings, lists, and code. */
export function wrapMarkdown(text: string): string {
  let isCode = false;
  return text
    .split("\n\n")
    .map((block) => {
      const lines = block.split("\n");
      const fences = lines.filter((line) => line.startsWith("```")).length;
      const wasCode = isCode;
      if (fences % 2 === 1) isCode = !isCode;
      const isParagraph = !wasCode && !lines.some((line) => OTHER_LINE.test(line));
      return isParagraph ? wrapped(lines.join(" ")) : block;
    })
    .join("\n\n");
}

function wrapped(paragraph: string): string {
  const lines: string[] = [];
  for (const word of paragraph.trim().split(/ +/)) {
    const last = lines.at(-1);
    // A line that began with one of these would no longer be a paragraph's.
    const mayBegin = !OTHER_LINE.test(`${word} `);
    if (last !== undefined && (last.length + 1 + word.length <= COLUMNS || !mayBegin)) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines.join("\n");
}
