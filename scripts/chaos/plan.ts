/** How the mail server behaves while the server is killed: as it should, or in one of the ways in which it may not. */
export const SMTP_MOODS = ["accept", "refuse", "hang", "4xx", "5xx"] as const;
export type SmtpMood = (typeof SMTP_MOODS)[number];

/** What one run does; the same plan makes the same decisions, at moments that vary with the machine. */
export interface ChaosPlan {
  seed: number;
  kills: number;
  students: number;
  staff: number;
  smtp: SmtpMood;
  /** On a PostgreSQL of the run's own instead of SQLite. */
  postgres: boolean;
  /** The disk runs full now and then. */
  diskFull: boolean;
  /** Longest time under load between a start and the kill after it. */
  longestLifeMs: number;
}
