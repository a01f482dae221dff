/** The path to open after login; home for anything but a path of this site. */
export function pathAfterLogin(redirect: string | undefined): string {
  return redirect && /^\/(?![/\\])[!-~]*$/.test(redirect) ? redirect : "/";
}
