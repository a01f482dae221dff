/** How long a mailed one-time code works. */
export const CODE_MINUTES = 10;
/** How long a mailed recovery link works. */
export const LINK_MINUTES = 30;
