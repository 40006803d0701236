/** Replaces, in the bundle, the packages that hook `require` and `import`. */
export class Hook {
  unhook(): void {}
}
