import type { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { approvedFile, uploadedFile } from "#shared/schemas/files.ts";
import { failureResponses, operationOf, restRoute, type Tag } from "../http/openapi.ts";
import type { ContextOf, Env } from "../http/request-context.ts";
import { createCaller } from "../router.ts";
import { refusalOf } from "../trpc.ts";
import { receiveFile } from "./upload.service.ts";

const uploadForm = z
  .object({
    file: z.file().meta({ type: "string", format: "binary", description: "One PDF" }),
    upload_preset: z.string().optional().meta({ description: "Accepted and not used" }),
    convert: z.literal("pdf").optional().meta({
      description:
        "Lets an office document or a text be converted, where the store has a converter: the PDF is kept, counted and printed. Look at it and approve it before you order",
    }),
    password: z.string().optional().meta({
      description:
        "Opens a locked PDF and is not kept: what is kept, counted and printed is a copy that needs no password",
    }),
  })
  .meta({ id: "UploadForm" });

export const filesRest = [
  restRoute({
    method: "post",
    path: "/uploads/approve",
    procedure: "files.approve",
    tag: "Files",
    summary: "Say that the PDF of a converted document looks right, so that it can be ordered",
    body: approvedFile,
    data: z.null(),
    failures: ["INVALID_INPUT", "UNAUTHENTICATED", "NOT_FOUND"],
    message: "The file can be ordered",
    call: (caller, { body }) => caller.files.approve({ id: body.public_id }),
  }),
];

/** Mounts `POST /uploads`: one PDF as a multipart form, answered in the shape of the contract's hosting service. */
export function mountUploads(api: OpenAPIHono<Env>, contextOf: ContextOf): void {
  document(api);
  api.post("/uploads", async (c) => {
    const ctx = await contextOf(c);
    const refusal = refusalOf(ctx, "files.upload");
    if (refusal) throw refusal;
    const { incoming } = c.env;
    const uploaded = await receiveFile(incoming, (file, { name: uploadName, fields: uploadFields }) =>
      createCaller({ ...ctx, uploadName, uploadFields }, { signal: c.req.raw.signal }).files.upload(file),
    );
    return c.json(uploaded);
  });
}

function document(api: OpenAPIHono<Env>): void {
  api.openAPIRegistry.registerPath({
    method: "post",
    path: "/uploads",
    ...operationOf("files.upload"),
    tags: ["Files" satisfies Tag],
    summary: "Upload one PDF; its pages are counted",
    request: { body: { required: true, content: { "multipart/form-data": { schema: uploadForm } } } },
    responses: {
      200: { description: "File kept", content: { "application/json": { schema: uploadedFile } } },
      ...failureResponses([
        "UNAUTHENTICATED",
        "INVALID_INPUT",
        "UNREADABLE_FILE",
        "PASSWORD_REQUIRED",
        "WRONG_PASSWORD",
        "INFECTED",
        "NO_ROOM",
        "RATE_LIMITED",
        "STORAGE_FULL",
      ]),
    },
  });
}
