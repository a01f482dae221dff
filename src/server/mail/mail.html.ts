import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import { formatPaise } from "#shared/money.ts";
import type {
  Button,
  Code,
  Facts,
  Links,
  MailBlock,
  MailContent,
  Paragraph,
  Prices,
  QrLink,
} from "./mail.blocks.ts";
import { visibleLines } from "./mail.clean-text.ts";
import { LOOK, MAIL_STYLE } from "./mail.look.ts";

/** A piece of HTML whose values are escaped already. */
type Markup = ReturnType<typeof html>;

/** The HTML part of a mail: tables and inline styles, which every mail program understands. */
export function renderHtml({ title, blocks, footer }: MailContent): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${value(title)}</title>
<style>${raw(MAIL_STYLE)}</style>
</head>
<body class="page" style="${LOOK.page}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page" style="${LOOK.page}">
<tr><td align="center" style="${LOOK.margin}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="${LOOK.column}">
<tr><td class="ink" style="${LOOK.brand}">Print Store</td></tr>
<tr><td class="sheet ink" style="${LOOK.sheet}">
<h1 class="ink" style="${LOOK.title}">${value(title)}</h1>
${blocks.map(renderBlock)}
</td></tr>
<tr><td class="soft" style="${LOOK.footer}">${value(footer)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.toString();
}

function renderBlock(block: MailBlock): Markup {
  switch (block.kind) {
    case "paragraph":
      return paragraph(block);
    case "code":
      return code(block);
    case "button":
      return button(block);
    case "qr":
      return qrLink(block);
    case "facts":
      return facts(block);
    case "links":
      return links(block);
    case "prices":
      return prices(block);
  }
}

function paragraph({ text }: Paragraph): Markup {
  return html`<p style="${LOOK.paragraph}">${value(text)}</p>
`;
}

function code(block: Code): Markup {
  return html`<p class="code" style="${LOOK.code}">${value(block.code)}</p>
`;
}

function button({ label, url }: Button): Markup {
  return html`<p style="${LOOK.paragraph}"><a href="${url}" target="_blank" style="${LOOK.button}">${value(label)}</a></p>
<p class="soft" style="${LOOK.address}">If the button does not work, open this address:<br>${url}</p>
`;
}

function qrLink(block: QrLink): Markup {
  return html`<p style="${LOOK.paragraph}"><img src="cid:${qrCodeId(block)}" alt="QR code of the link below" width="212" height="212" style="${LOOK.qrCode}"></p>
${button({ ...block, kind: "button" })}`;
}

/** By what the HTML part names the picture of a QR code that is attached to the mail. */
export function qrCodeId({ url }: QrLink): string {
  return `${createHash("sha256").update(url).digest("hex").slice(0, 16)}@qr-code`;
}

function facts({ title, facts }: Facts): Markup {
  const rows = facts.map(
    ({ label, value: text }) => html`<tr>
<td class="soft line" width="38%" valign="top" style="${LOOK.label}">${value(label)}</td>
<td class="line" valign="top" style="${LOOK.value}">${value(text)}</td>
</tr>
`,
  );
  return section(title, rows);
}

function links({ title, links }: Links): Markup {
  const rows = links.map(
    ({ label, url, note }) => html`<tr>
<td class="line" valign="top" style="${LOOK.value}"><a href="${url}" target="_blank" class="ink" style="${LOOK.link}">${value(label)}</a><br><span class="soft" style="${LOOK.note}">${value(note)}</span></td>
</tr>
`,
  );
  return section(title, rows);
}

function prices({ title, prices }: Prices): Markup {
  const rows = prices.map(({ label, note, amountPaise, isTotal }) => {
    const weight = isTotal ? LOOK.strong : "";
    return html`<tr>
<td class="line" valign="top" style="${LOOK.value}${weight}">${value(label)}${
      note ? html`<br><span class="soft" style="${LOOK.note}">${value(note)}</span>` : null
    }</td>
<td class="line" align="right" valign="top" style="${LOOK.amount}${weight}">${formatPaise(amountPaise)}</td>
</tr>
`;
  });
  return section(title, rows);
}

function section(title: string, rows: Markup[]): Markup {
  return html`<h2 class="ink" style="${LOOK.heading}">${value(title)}</h2>
<table width="100%" cellpadding="0" cellspacing="0" style="${LOOK.table}">
${rows}</table>
`;
}

/** A text from anybody: escaped, its line breaks kept. */
function value(text: string): Markup[] {
  return visibleLines(text).map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`));
}
