import { z } from "zod";

/** Where files go that are kept at UploadThing. Holds a secret: it is never logged. */
export interface UploadThingSettings {
  /** As UploadThing's dashboard gives it: the following three in base64. */
  token: string;
  apiKey: string;
  appId: string;
  /** Where uploads go, without a slash at the end. */
  ingestUrl: string;
  /** Null: UploadThing's own. */
  apiUrl: string | null;
  /** The host that files are read from; null: UploadThing's own. */
  ufsHost: string | null;
}

const content = z.object({
  apiKey: z.string().startsWith("sk_"),
  appId: z.string().regex(/^\w+$/),
  regions: z.tuple([z.string().regex(/^[\w-]+$/)], z.string()),
  ingestHost: z.string().default("ingest.uploadthing.com"),
});

export const uploadThingToken = z.string().transform((token, context) => {
  const parsed = content.safeParse(decode(token));
  if (parsed.success) return { token, ...parsed.data };
  context.addIssue("is no token of UploadThing. Copy the whole of it from its dashboard, under API Keys");
  return z.NEVER;
});

/** The settings that begin with UPLOADTHING_; all but the token are for emulators and proxies. */
export function uploadThingOf(given: {
  UPLOADTHING_TOKEN?: z.output<typeof uploadThingToken> | undefined;
  UPLOADTHING_API_URL?: string | undefined;
  UPLOADTHING_INGEST_URL?: string | undefined;
  UPLOADTHING_UFS_HOST?: string | undefined;
}): UploadThingSettings | null {
  if (!given.UPLOADTHING_TOKEN) return null;
  const { token, apiKey, appId, regions, ingestHost } = given.UPLOADTHING_TOKEN;
  const ingestUrl = given.UPLOADTHING_INGEST_URL ?? `https://${regions[0]}.${ingestHost}`;
  return {
    token,
    apiKey,
    appId,
    ingestUrl: ingestUrl.replace(/\/$/, ""),
    apiUrl: given.UPLOADTHING_API_URL ?? null,
    ufsHost: given.UPLOADTHING_UFS_HOST ?? null,
  };
}

function decode(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, "base64").toString());
  } catch {
    return undefined;
  }
}
