/** In the bundle, replaces the packages that hook `require` and `import`. */
export class Hook {
  unhook(): void {}
}
