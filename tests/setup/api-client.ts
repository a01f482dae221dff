/** A REST answer, fully read. */
export interface ApiAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any;
}

/** An HTTP client that behaves like a browser: JSON in and out, and a cookie jar. */
export class ApiClient {
  readonly #cookies = new Map<string, string>();
  readonly baseUrl: string;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  /** A client with a copy of the current cookies, at another server. */
  at({ url }: { url: string }): ApiClient {
    const there = new ApiClient(url);
    for (const [name, value] of this.#cookies) there.#cookies.set(name, value);
    return there;
  }

  get(path: string): Promise<ApiAnswer> {
    return this.send("GET", path);
  }

  post(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return this.send("POST", path, JSON.stringify(body), { "Content-Type": "application/json", ...headers });
  }

  /** Calls a tRPC procedure as the React apps do, unbatched. */
  query(procedure: string, input?: unknown): Promise<ApiAnswer> {
    const search = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return this.get(`/api/trpc/${procedure}${search}`);
  }

  mutate(procedure: string, input?: unknown): Promise<ApiAnswer> {
    return this.post(`/api/trpc/${procedure}`, input);
  }

  /** Uploads a file as a form does, with other fields beside it. */
  upload(
    bytes: Uint8Array<ArrayBuffer>,
    name = "notes.pdf",
    fields: Record<string, string> = {},
  ): Promise<ApiAnswer> {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    form.set("upload_preset", "documents");
    form.set("file", new Blob([bytes], { type: "application/pdf" }), name);
    return this.send("POST", "/api/v1/uploads", form);
  }

  async send(
    method: string,
    path: string,
    body?: BodyInit,
    headers: Record<string, string> = {},
  ): Promise<ApiAnswer> {
    const response = await this.fetch(path, { method, body, headers });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  /** The raw response, with this visitor's cookies. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(path, this.baseUrl);
    const headers = new Headers(init.headers);
    if (this.#cookies.size > 0) headers.set("Cookie", this.cookieHeader);
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    return response;
  }

  /** The value of this cookie; empty if there is none. */
  cookie(name: string): string {
    return this.#cookies.get(name) ?? "";
  }

  get cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  #keep(cookie: string): void {
    const [pair = ""] = cookie.split(";");
    const [name = "", value = ""] = pair.split("=");
    if (value === "") this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}
