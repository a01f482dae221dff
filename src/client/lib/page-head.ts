const BRAND = "Print Store";
const TAGLINE = "Upload a PDF, choose how it is printed, and a shop near your college prints it.";

interface Page {
  title: string;
  description: string;
}

/** Title, description and sharing tags of one page. */
export function pageHead({ title, description }: Page) {
  const fullTitle = `${title} · ${BRAND}`;
  return {
    meta: [
      { title: fullTitle },
      { name: "description", content: description },
      { property: "og:title", content: fullTitle },
      { property: "og:description", content: description },
    ],
  };
}

/** What every page has in its head. */
export function siteHead() {
  return {
    meta: [
      { charSet: "utf-8" },
      { name: "viewport", content: "width=device-width, initial-scale=1" },
      { title: BRAND },
      { name: "description", content: TAGLINE },
      { name: "color-scheme", content: "light dark" },
    ],
    links: [{ rel: "icon", href: "/favicon.svg", type: "image/svg+xml" }],
  };
}
