/** The pages that search engines may list. */
export const PUBLIC_PATHS = [
  "/",
  "/shops",
  "/how-it-works",
  "/about-us",
  "/contact-us",
  "/faq",
  "/support",
  "/login",
  "/signup",
  "/terms-and-conditions",
  "/privacy-policy",
  "/refund-and-cancellation",
];

export function robotsText(origin: string): string {
  return [
    "User-agent: *",
    "Disallow: /api/",
    "Disallow: /admin",
    "Disallow: /printnow",
    "Disallow: /printorder",
    "",
    `Sitemap: ${origin}/sitemap.xml`,
    "",
  ].join("\n");
}

export function sitemapXml(origin: string): string {
  const urls = PUBLIC_PATHS.map((path) => `  <url><loc>${origin}${path}</loc></url>`).join("\n");
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}
</urlset>
`;
}
