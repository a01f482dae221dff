import { HtmlValidate } from "html-validate";

const judge = new HtmlValidate({ root: true, extends: ["html-validate:standard"] });

/** What html-validate's standard rules find in a document, in words. */
export async function htmlFaults(html: string): Promise<string[]> {
  const { results } = await judge.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ ruleId, message, selector, line }) => `${ruleId}: ${message} (${selector ?? `line ${line}`})`,
    ),
  );
}
