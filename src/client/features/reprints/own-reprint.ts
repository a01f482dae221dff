import type { OwnReprint } from "#server/reprints/reprints.view.service.ts";
import type { ReprintState } from "#shared/reprints.ts";

export type OrderReprintFacts = OwnReprint;
export type OwnReport = NonNullable<OwnReprint["report"]>;

/** What the state of a report means to the student. */
export const REPORT_TEXTS: Record<ReprintState, string> = {
  reported: "You reported a printing error. The shop answers here and by mail.",
  accepted:
    "The shop prints it again, free of charge. Please add your files again: they were deleted once printed.",
  declined: "The shop does not print it again.",
  ordered: "The shop prints it again, free of charge.",
};
