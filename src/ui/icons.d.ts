/** Icons of Tabler's by their name there; src/ui/build.ts makes these modules. */
declare module "~icons/tabler/*" {
  const icon: import("#ui/icon.tsx").Icon;
  export default icon;
}
