/** The storefront's paper, ink and marigold, as mail programs can show them. */
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

/** The inline style of every part of a mail. */
export const LOOK = {
  page: `margin:0;padding:0;background-color:${LIGHT.paper};color:${LIGHT.ink};${FONT}font-size:16px;line-height:1.5;`,
  margin: "padding:24px 12px 40px;",
  column: "max-width:560px;",
  brand: `padding:0 4px 12px;font-size:16px;font-weight:700;color:${LIGHT.ink};`,
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

/** What inline styles cannot say: the dark colours, where a mail program knows of them. */
export const MAIL_STYLE = `
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
