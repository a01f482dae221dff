import { z } from "zod";

const PHOTO_PATH = "/api/trpc/reprints.uploadPhoto";
const FAILED = "The photo could not be sent. Please try again";

const doneAnswer = z.object({ result: z.object({ data: z.object({ id: z.string() }) }) });
const refusalAnswer = z.object({ error: z.object({ message: z.string() }) });

/**
 * Sends a photo for the report of an error, and answers its id. By itself, for the storefront's other calls go in
 * batches, which cannot carry bytes. Throws an Error that says what is wrong.
 */
export async function sendPhoto(photo: Blob): Promise<string> {
  const answer = await fetch(PHOTO_PATH, {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream" },
    body: photo,
  })
    .then((response) => response.json())
    .catch(() => null);
  const done = doneAnswer.safeParse(answer);
  if (done.success) return done.data.result.data.id;
  throw new Error(refusalAnswer.safeParse(answer).data?.error.message ?? FAILED);
}
