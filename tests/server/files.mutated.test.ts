import { expect, test } from "vitest";
import { plainPdf } from "../factories/pdfs.ts";
import { signedInStudent } from "../factories/students.ts";
import { fuzzFiles } from "../fuzz/file-fuzz.ts";
import { RawClient, sendAs } from "../fuzz/raw-client.ts";
import { testStore } from "../setup/test-store.ts";

const SEED = 20_261_121;

const store = testStore();

test("10 corrupted PDFs are each counted or refused, and a valid one after each is counted", async () => {
  const { visitor, student } = await signedInStudent(store);
  const client = new RawClient(store.url);
  const { failure, requests, answers } = await fuzzFiles(sendAs(client, visitor, student), {
    seed: SEED,
    files: 10,
  });
  client.close();
  expect(failure).toBeNull();
  expect(requests).toBe(10);
  expect(Object.keys(answers)).toEqual(expect.arrayContaining(["200", "422"]));
  expect((await visitor.upload(new Uint8Array(plainPdf(3)))).body.pages).toBe(3);
});
