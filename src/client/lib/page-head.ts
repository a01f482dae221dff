import { BRAND } from "#ui/logo.tsx";

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

/** The head of every page. */
export function siteHead(origin: string, path: string) {
  const url = `${origin}${path}`;
  return {
    meta: [
      { charSet: "utf-8" },
      { name: "viewport", content: "width=device-width, initial-scale=1" },
      { title: BRAND },
      { name: "description", content: TAGLINE },
      { name: "color-scheme", content: "light dark" },
      { property: "og:site_name", content: BRAND },
      { property: "og:type", content: "website" },
      { property: "og:locale", content: "en_IN" },
      { property: "og:url", content: url },
      { property: "og:image", content: `${origin}/share.png` },
      { property: "og:image:width", content: "1200" },
      { property: "og:image:height", content: "630" },
      { name: "twitter:card", content: "summary_large_image" },
    ],
    links: [
      { rel: "canonical", href: url },
      { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
      { rel: "apple-touch-icon", href: "/icons/apple-touch-icon.png" },
      { rel: "manifest", href: "/manifest.webmanifest" },
    ],
  };
}
