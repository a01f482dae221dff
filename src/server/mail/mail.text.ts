import { formatPaise } from "#shared/money.ts";
import type { MailBlock, MailContent } from "./mail.blocks.ts";
import { oneLine, visibleLines } from "./mail.clean-text.ts";

/** The plain-text part of a mail. */
export function renderText({ title, blocks, footer }: MailContent): string {
  return `${[heading(title, "="), ...blocks.map(renderBlock), `Print Store: ${indented(footer)}`].join("\n\n")}\n`;
}

function renderBlock(block: MailBlock): string {
  switch (block.kind) {
    case "paragraph":
      return indented(block.text);
    case "code":
      return `    ${oneLine(block.code)}`;
    case "button":
    case "qr":
      return `${oneLine(block.label)}:\n${block.url}`;
    case "facts":
      return section(
        block.title,
        block.facts.map(({ label, value }) => `${oneLine(label)}: ${indented(value)}`),
      );
    case "links":
      return section(
        block.title,
        block.links.map(({ label, url, note }) => `- ${indented(label)} (${oneLine(note)})\n  ${url}`),
      );
    case "prices":
      return section(
        block.title,
        block.prices.map(
          ({ label, note, amountPaise }) =>
            `${oneLine(label)}${note ? ` (${oneLine(note)})` : ""}: ${formatPaise(amountPaise)}`,
        ),
      );
  }
}

function section(title: string, lines: string[]): string {
  return [heading(title, "-"), ...lines].join("\n");
}

function heading(title: string, underline: string): string {
  const line = oneLine(title);
  return `${line}\n${underline.repeat(line.length)}`;
}

/** Further lines are set in, so that nobody's text can pose as a line of ours. */
function indented(text: string): string {
  return visibleLines(text).join("\n    ");
}
