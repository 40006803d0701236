/** In the SDK's bundle, this class replaces the packages that hook `require` and `import`. */
export class Hook {
  unhook(): void {}
}
