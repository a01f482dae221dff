/** How many calls one request of the React apps may carry; without a limit few bytes could cause much work. */
export const MAX_BATCH = 20;
