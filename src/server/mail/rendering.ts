import { html, raw } from "hono/html";
import { encode } from "uqr";
import { formatPaise } from "#shared/money.ts";
import { hashSource, sha256 } from "../lib/crypto.ts";
import {
  type Button,
  type Code,
  type Facts,
  type Links,
  type MailBlock,
  type MailContent,
  mailContent,
  oneLine,
  type Paragraph,
  type Prices,
  type QrLink,
  visibleLines,
} from "./blocks.ts";
import type { StoredMail } from "./mail.queries.ts";

/** The rendered mail. */
interface MailParts {
  text: string;
  html: string;
  /** The QR codes in the HTML part. */
  qrCodes: MailQrCode[];
}

export type OutgoingMail = Pick<StoredMail, "id" | "to" | "replyTo" | "subject" | "createdAt"> & MailParts;

/** Renders both parts from the same content, so that they cannot differ. All texts are escaped. */
export function composeMail(content: MailContent): MailParts {
  return { text: renderText(content), html: renderHtml(content), qrCodes: qrCodesOf(content) };
}

/** The parts of a mail from its stored content; empty once that is erased. Throws when it is invalid. */
export function toParts(content: string | null): MailParts {
  return content === null ? { text: "", html: "", qrCodes: [] } : composeMail(parseContent(content));
}

/** What a web page shows, which has no attachments. */
export async function toPageParts(content: string | null): Promise<{ text: string; html: string }> {
  const { text, ...shown } = toParts(content);
  return { text, html: await htmlWithPictures(shown) };
}

/** The text part alone. */
export function toText(content: string | null): string {
  return content === null ? "" : renderText(parseContent(content));
}

function parseContent(json: string): MailContent {
  return mailContent.parse(JSON.parse(json));
}

/** The plain-text part of a mail. */
function renderText({ title, blocks, footer }: MailContent): string {
  return `${[heading(title, "="), ...blocks.map(renderTextBlock), `Print Store: ${indented(footer)}`].join("\n\n")}\n`;
}

function renderTextBlock(block: MailBlock): string {
  switch (block.kind) {
    case "paragraph":
      return indented(block.text);
    case "code":
      return `    ${oneLine(block.code)}`;
    case "button":
    case "qr":
      return `${oneLine(block.label)}:\n${block.url}`;
    case "facts":
      return textSection(
        block.title,
        block.facts.map(({ label, value }) => `${oneLine(label)}: ${indented(value)}`),
      );
    case "links":
      return textSection(
        block.title,
        block.links.map(({ label, url, note }) => `- ${indented(label)} (${oneLine(note)})\n  ${url}`),
      );
    case "prices":
      return textSection(
        block.title,
        block.prices.map(
          ({ label, note, amountPaise }) =>
            `${oneLine(label)}${note ? ` (${oneLine(note)})` : ""}: ${formatPaise(amountPaise)}`,
        ),
      );
  }
}

function textSection(title: string, lines: string[]): string {
  return [heading(title, "-"), ...lines].join("\n");
}

function heading(title: string, underline: string): string {
  const line = oneLine(title);
  return `${line}\n${underline.repeat(line.length)}`;
}

/** Indents all further lines, so that nobody's text can pass for one of ours. */
function indented(text: string): string {
  return visibleLines(text).join("\n    ");
}

/** HTML whose values are already escaped. */
type Markup = ReturnType<typeof html>;

/** The HTML part of a mail. It uses tables and inline styles, which every mail program understands. */
function renderHtml({ title, blocks, footer }: MailContent): string {
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
<body class="page" style="${STYLES.page}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page" style="${STYLES.page}">
<tr><td align="center" style="${STYLES.margin}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="${STYLES.column}">
<tr><td class="ink" style="${STYLES.brand}"><img src="cid:${LOGO.cid}" alt="" width="36" height="36" style="${STYLES.logo}">Print Store</td></tr>
<tr><td class="sheet ink" style="${STYLES.sheet}">
<h1 class="ink" style="${STYLES.title}">${value(title)}</h1>
${blocks.map(renderHtmlBlock)}
</td></tr>
<tr><td class="soft" style="${STYLES.footer}">${value(footer)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.toString();
}

function renderHtmlBlock(block: MailBlock): Markup {
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
  return html`<p style="${STYLES.paragraph}">${value(text)}</p>
`;
}

function code(block: Code): Markup {
  return html`<p class="code" style="${STYLES.code}">${value(block.code)}</p>
`;
}

function button({ label, url }: Button): Markup {
  return html`<p style="${STYLES.paragraph}"><a href="${url}" target="_blank" style="${STYLES.button}">${value(label)}</a></p>
<p class="soft" style="${STYLES.address}">If the button does not work, open this link:<br>${url}</p>
`;
}

function qrLink(block: QrLink): Markup {
  return html`<p style="${STYLES.paragraph}"><img src="cid:${qrCodeId(block)}" alt="QR code of the link below" width="212" height="212" style="${STYLES.qrCode}"></p>
${button({ ...block, kind: "button" })}`;
}

/** The content id by which the HTML part refers to the attached picture of the QR code. */
function qrCodeId({ url }: QrLink): string {
  return `${sha256(url).slice(0, 16)}@qr-code`;
}

function facts({ title, facts }: Facts): Markup {
  const rows = facts.map(
    ({ label, value: text }) => html`<tr>
<td class="soft line" width="38%" valign="top" style="${STYLES.label}">${value(label)}</td>
<td class="line" valign="top" style="${STYLES.value}">${value(text)}</td>
</tr>
`,
  );
  return htmlSection(title, rows);
}

function links({ title, links }: Links): Markup {
  const rows = links.map(
    ({ label, url, note }) => html`<tr>
<td class="line" valign="top" style="${STYLES.value}"><a href="${url}" target="_blank" class="ink" style="${STYLES.link}">${value(label)}</a><br><span class="soft" style="${STYLES.note}">${value(note)}</span></td>
</tr>
`,
  );
  return htmlSection(title, rows);
}

function prices({ title, prices }: Prices): Markup {
  const rows = prices.map(({ label, note, amountPaise, isTotal }) => {
    const weight = isTotal ? STYLES.strong : "";
    return html`<tr>
<td class="line" valign="top" style="${STYLES.value}${weight}">${value(label)}${
      note ? html`<br><span class="soft" style="${STYLES.note}">${value(note)}</span>` : null
    }</td>
<td class="line" align="right" valign="top" style="${STYLES.amount}${weight}">${formatPaise(amountPaise)}</td>
</tr>
`;
  });
  return htmlSection(title, rows);
}

function htmlSection(title: string, rows: Markup[]): Markup {
  return html`<h2 class="ink" style="${STYLES.heading}">${value(title)}</h2>
<table width="100%" cellpadding="0" cellspacing="0" style="${STYLES.table}">
${rows}</table>
`;
}

/** Escapes any text and keeps its line breaks. */
function value(text: string): Markup[] {
  return visibleLines(text).map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`));
}

/** The storefront's colours, in a form that mail programs support. */
const LIGHT = {
  paper: "#faf9f5",
  sheet: "#ffffff",
  ink: "#152033",
  soft: "#4a5668",
  line: "#dedacd",
  accent: "#ffb81f",
  wash: "#fff0c9",
};
const DARK = {
  paper: "#0f151e",
  sheet: "#182130",
  ink: "#f0f1ec",
  soft: "#aeb8c6",
  line: "#2b3748",
  wash: "#3a2f12",
};

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',Ubuntu,sans-serif;";
const CELL = `padding:8px 0;border-top:1px solid ${LIGHT.line};overflow-wrap:anywhere;`;

/** The inline styles of a mail's elements. */
const STYLES = {
  page: `margin:0;padding:0;background-color:${LIGHT.paper};color:${LIGHT.ink};${FONT}font-size:16px;line-height:1.5;`,
  margin: "padding:24px 12px 40px;",
  column: "max-width:560px;",
  brand: `padding:0 4px 12px;font-size:16px;font-weight:700;color:${LIGHT.ink};`,
  logo: "margin-right:10px;vertical-align:middle;border-radius:8px;",
  sheet: `padding:28px 24px 16px;background-color:${LIGHT.sheet};color:${LIGHT.ink};border:1px solid ${LIGHT.line};border-top:4px solid ${LIGHT.accent};border-radius:6px;`,
  title: `margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:700;color:${LIGHT.ink};overflow-wrap:anywhere;`,
  heading: `margin:24px 0 8px;font-size:16px;line-height:1.3;font-weight:700;color:${LIGHT.ink};`,
  paragraph: "margin:0 0 16px;overflow-wrap:anywhere;",
  code: `margin:0 0 16px;padding:16px 8px;background-color:${LIGHT.wash};color:${LIGHT.ink};border-radius:6px;text-align:center;font-family:ui-monospace,Consolas,Menlo,monospace;font-size:32px;line-height:1.2;font-weight:700;letter-spacing:6px;`,
  button: `display:inline-block;padding:12px 24px;background-color:${LIGHT.accent};color:${LIGHT.ink};border-radius:6px;font-weight:700;text-decoration:none;`,
  qrCode: `display:block;border:1px solid ${LIGHT.line};border-radius:6px;background-color:#ffffff;`,
  address: `margin:0 0 16px;font-size:14px;color:${LIGHT.soft};overflow-wrap:anywhere;`,
  table: "border-collapse:collapse;margin:0 0 16px;",
  label: `${CELL}padding-right:12px;color:${LIGHT.soft};`,
  value: CELL,
  amount: `${CELL}padding-left:12px;white-space:nowrap;`,
  strong: "font-weight:700;",
  link: `color:${LIGHT.ink};font-weight:700;text-decoration:underline;`,
  note: `font-size:14px;color:${LIGHT.soft};`,
  footer: `padding:16px 4px 0;font-size:14px;color:${LIGHT.soft};`,
};

/** Dark colours, which inline styles cannot express; mail programs without support ignore them. */
const MAIL_STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background-color: ${DARK.paper} !important; color: ${DARK.ink} !important; }
  .sheet { background-color: ${DARK.sheet} !important; border-color: ${DARK.line} !important; border-top-color: ${LIGHT.accent} !important; }
  .ink { color: ${DARK.ink} !important; }
  .soft { color: ${DARK.soft} !important; }
  .line { border-color: ${DARK.line} !important; }
  .code { background-color: ${DARK.wash} !important; color: ${DARK.ink} !important; }
}
`;

/** The CSP source of the style tag in a mail that a page shows. */
export const MAIL_STYLE_SOURCE = hashSource(MAIL_STYLE);

/** The logo at twice its size, which every HTML part shows by its content id. */
export const LOGO = {
  cid: "logo@print-store",
  png: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAFgAAABYBAMAAACDuy0HAAAAMFBMVEVMaXH/8Mn/78j/8Mr67MX/8MnPxaoVIDP/8Mn/////uB9OT06jno4tNka3uLfpqiGx48j1AAAAB3RSTlMAnvMj4mjgaFOwLwAAAAlwSFlzAAALEwAACxMBAJqcGAAAAYdJREFUSMfl1zFLw0AUB/CT6i7SoasVIeBSBMHRbo6ii9/kBOvQM8KB7tLBrkIWFyEOgqN+g+onUIfOgpOSmOslL/fy/uDU/rfAj0f6LknfUyrPTjuygZj+kfLTals2/Z5n12xD1mf60DZms7BLVpDVP9yR4CFQuCjdkeGs9IoV5uAXb0vxhvwusvtoRVJsetJe5P1YluM9tSvH5+rYv5zqWQYEX5SbMfGwfqHt2PcvfUtLxyoKYlLaVPGoSE1po2wYk9IsHsjxOynN4DEpzeARKc1hUpr9gdWGNOETEZ4geIrgLNfziMfFu3X22Yxv3Jvy9s8Yuo25PZSrVNfnMSI4Dlmt7wm+DFp9SvBzGLu31uFUPyW1uUv1QxVr/V2Pky/XEg8HbHK7kBhoHXQo0HFvIQ8S9IgyD/8if585HMmx4cae6v+gYQYqgmNmVMvyWhrVgkNg/vX/KA2B0HgJDa7QSAwN29AYjy0I0OoBLTXYugQtYtiKBy2P2FoKLbzZKt0Nya5bpX8AawfD9mk2QrEAAAAASUVORK5CYII=",
    "base64",
  ),
};

/** A QR code that the HTML part shows by its content id; drawn when the mail is sent or shown. */
export interface MailQrCode {
  cid: string;
  /** What the QR code contains. */
  text: string;
}

/** White modules around the code, which scanners need. */
const QUIET_ZONE = 4;
const PIXELS_PER_MODULE = 4;

/** The QR codes of a mail, in order. */
function qrCodesOf({ blocks }: MailContent): MailQrCode[] {
  return blocks.flatMap((block) => (block.kind === "qr" ? [{ cid: qrCodeId(block), text: block.url }] : []));
}

/** Black on white, as a PNG of about one kilobyte. */
export async function drawQrCode({ text }: MailQrCode): Promise<Buffer> {
  const { size, data } = encode(text, { ecc: "M", border: QUIET_ZONE });
  const greys = Buffer.from(data.flat().map((isDark) => (isDark ? 0 : 255)));
  const width = size * PIXELS_PER_MODULE;
  const { default: sharp } = await import("sharp");
  return sharp(greys, { raw: { width: size, height: size, channels: 1 } })
    .resize(width, width, { kernel: "nearest" })
    .png({ palette: true, colours: 2 })
    .toBuffer();
}

/** The HTML part for a web page, which has no attachments: the logo and QR codes are inlined. */
async function htmlWithPictures({ html, qrCodes }: { html: string; qrCodes: MailQrCode[] }): Promise<string> {
  const inline = (shown: string, cid: string, png: Buffer) =>
    shown.replaceAll(`"cid:${cid}"`, `"data:image/png;base64,${png.toString("base64")}"`);
  let shown = inline(html, LOGO.cid, LOGO.png);
  for (const code of qrCodes) shown = inline(shown, code.cid, await drawQrCode(code));
  return shown;
}
