/** A link that writes to this address. One such as `a?bcc=b@c.dd` would otherwise add people of its own. */
export function mailLink(email: string): string {
  return `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
}
