/** How many calls one request of the React apps may carry: a thousand would be much work for few bytes. */
export const MAX_BATCH = 20;
