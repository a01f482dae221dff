import { zipSync } from "fflate";

const OFFICE = "http://schemas.openxmlformats.org";
const PACKAGE = `${OFFICE}/package/2006`;
const RELATIONSHIPS = `${OFFICE}/officeDocument/2006/relationships`;
const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml";
const XML = '<?xml version="1.0"?>';

interface DocumentParts {
  /** What the document relates to, as the XML of relationships. */
  relationships?: string;
  /** Other parts by their path. */
  more?: Record<string, Uint8Array>;
  /** The declarations of their types. */
  types?: string;
}

/** A Word document with this body, as XML. */
export function wordDocument(
  body: string,
  { relationships = "", more = {}, types = "" }: DocumentParts = {},
): Uint8Array<ArrayBuffer> {
  const namespaces = `xmlns:w="${OFFICE}/wordprocessingml/2006/main" xmlns:r="${RELATIONSHIPS}" xmlns:a="${OFFICE}/drawingml/2006/main" xmlns:wp="${OFFICE}/drawingml/2006/wordprocessingDrawing" xmlns:pic="${OFFICE}/drawingml/2006/picture"`;
  const parts = {
    "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${WORD}.document.main+xml"/>${types}</Types>`,
    "_rels/.rels": `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${RELATIONSHIPS}/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/_rels/document.xml.rels": `<Relationships xmlns="${PACKAGE}/relationships">${relationships}</Relationships>`,
    "word/document.xml": `<w:document ${namespaces}><w:body>${body}</w:body></w:document>`,
  };
  const written = Object.entries(parts).map(([path, text]) => [path, Buffer.from(XML + text)]);
  return new Uint8Array(zipSync({ ...Object.fromEntries(written), ...more }));
}

function paragraph(text: string): string {
  return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

/** Links a picture by its address. */
export function documentWithPicture(address: string): Uint8Array<ArrayBuffer> {
  const picture = `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="990000" cy="990000"/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData uri="${OFFICE}/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="r1"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="990000" cy="990000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
  const relationships = `<Relationship Id="r1" Type="${RELATIONSHIPS}/image" Target="${address}" TargetMode="External"/>`;
  return wordDocument(paragraph("Hello") + picture, { relationships });
}

/** Less than a megabyte that becomes 120 when it is unpacked. */
export function documentBomb(): Uint8Array<ArrayBuffer> {
  return wordDocument(paragraph("much ado about nothing ").repeat(2_000_000));
}

/** A text that fills so many pages. */
export function textOfPages(pages: number): string {
  const line = "A line of these lecture notes, which has more words than it has news.\n";
  return line.repeat(pages * LINES_PER_PAGE);
}

const LINES_PER_PAGE = 50;

/** The outlines of a file of Office 97, with the name of a stream at this byte. */
export function oldOfficeFile(at: number, stream = "PowerPoint Document"): Buffer {
  const file = Buffer.alloc(at + 512);
  Buffer.from("d0cf11e0a1b11ae1", "hex").copy(file);
  file.write(stream, at, "utf16le");
  return file;
}

/** A document with 300 embedded fonts that share 20 megabytes of zeros. */
export function fontBomb(): Uint8Array<ArrayBuffer> {
  const fonts = Array.from({ length: 300 }, (_, index) => `Bomb ${index}`);
  const table = fonts
    .map(
      (name, index) =>
        `<w:font w:name="${name}"><w:embedRegular r:id="f${index}" w:fontKey="{00000000-0000-0000-0000-000000000000}"/></w:font>`,
    )
    .join("");
  const relationships = fonts
    .map(
      (_, index) => `<Relationship Id="f${index}" Type="${RELATIONSHIPS}/font" Target="fonts/bomb.odttf"/>`,
    )
    .join("");
  const font = (text: string) => Buffer.from(XML + text);
  const words = fonts
    .map((name) => `<w:p><w:r><w:rPr><w:rFonts w:ascii="${name}"/></w:rPr><w:t>${name}</w:t></w:r></w:p>`)
    .join("");
  return wordDocument(words, {
    relationships: `<Relationship Id="t" Type="${RELATIONSHIPS}/fontTable" Target="fontTable.xml"/>`,
    types: `<Default Extension="odttf" ContentType="application/vnd.openxmlformats-officedocument.obfuscatedFont"/><Override PartName="/word/fontTable.xml" ContentType="${WORD}.fontTable+xml"/>`,
    more: {
      "word/fontTable.xml": font(
        `<w:fonts xmlns:w="${OFFICE}/wordprocessingml/2006/main" xmlns:r="${RELATIONSHIPS}">${table}</w:fonts>`,
      ),
      "word/_rels/fontTable.xml.rels": font(
        `<Relationships xmlns="${PACKAGE}/relationships">${relationships}</Relationships>`,
      ),
      "word/fonts/bomb.odttf": new Uint8Array(20_000_000),
    },
  });
}

const OPEN_DOCUMENT = "urn:oasis:names:tc:opendocument:xmlns";
const OPEN_TEXT = "application/vnd.oasis.opendocument.text";

/** An OpenDocument text of one paragraph, with what stands before its body, and other parts by their path. */
function openText(before: string, more: Record<string, string> = {}): Uint8Array<ArrayBuffer> {
  const of = OPEN_DOCUMENT;
  const entries = [
    ["/", OPEN_TEXT],
    ...["content.xml", ...Object.keys(more)].map((path) => [path, "text/xml"]),
  ];
  const parts = {
    "META-INF/manifest.xml": `<manifest:manifest xmlns:manifest="${of}:manifest:1.0">${entries
      .map(
        ([path, kind]) => `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${kind}"/>`,
      )
      .join("")}</manifest:manifest>`,
    "content.xml": `<office:document-content xmlns:office="${of}:office:1.0" xmlns:text="${of}:text:1.0" xmlns:style="${of}:style:1.0" xmlns:script="${of}:script:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:ooo="http://openoffice.org/2004/office" xmlns:dom="http://www.w3.org/2001/xml-events" office:version="1.2">${before}<office:body><office:text><text:p text:style-name="P">Hello</text:p></office:text></office:body></office:document-content>`,
    ...more,
  };
  const written = Object.entries(parts).map(([path, text]) => [path, Buffer.from(XML + text)]);
  return new Uint8Array(
    zipSync({ mimetype: [Buffer.from(OPEN_TEXT), { level: 0 }], ...Object.fromEntries(written) }),
  );
}

/** Has the picture at this address behind its text, which LibreOffice reads whatever its settings forbid. */
export function documentWithBackground(address: string): Uint8Array<ArrayBuffer> {
  return openText(
    `<office:automatic-styles><style:style style:name="P" style:family="paragraph"><style:paragraph-properties><style:background-image xlink:href="${address}" xlink:type="simple" xlink:actuate="onLoad"/></style:paragraph-properties></style:style></office:automatic-styles>`,
  );
}

/** Its macro writes into this file as soon as it is opened. */
export function documentWithMacro(file: string): Uint8Array<ArrayBuffer> {
  const library = "http://openoffice.org/2000/library";
  return openText(
    '<office:scripts><office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:load" xlink:href="vnd.sun.star.script:Standard.Module1.Main?language=Basic&amp;location=document" xlink:type="simple"/></office:event-listeners></office:scripts>',
    {
      "Basic/script-lc.xml": `<library:libraries xmlns:library="${library}"><library:library library:name="Standard" library:link="false"/></library:libraries>`,
      "Basic/Standard/script-lb.xml": `<library:library xmlns:library="${library}" library:name="Standard" library:readonly="false" library:passwordprotected="false"><library:element library:name="Module1"/></library:library>`,
      "Basic/Standard/Module1.xml": `<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">Sub Main
Open &quot;${file}&quot; For Output As #1
Print #1, &quot;ran&quot;
Close #1
End Sub
</script:module>`,
    },
  );
}
