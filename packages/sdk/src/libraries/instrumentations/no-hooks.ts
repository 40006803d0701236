/** Stands in the bundle for the packages that hook `require` and `import`. */
export class Hook {
  unhook(): void {}
}
