import type { Accent, BrandPalette } from '@bancone/contract/brand-color'

/** Twice, because the style sheet has the same selector and may come later. */
const ROOT = ':root:root'

function rule({ accent, strong, soft, on }: Accent): string {
  return `${ROOT}{--c-accent:${accent};--c-accent-strong:${strong};--c-accent-soft:${soft};--c-on-accent:${on};--c-focus:${accent}}`
}

/** The accents of the pharmacy instead of those of the application. */
export function BrandColors({ palette: { light, dark } }: { palette: BrandPalette }) {
  return (
    <style>{`${rule(light)}@media screen and (prefers-color-scheme:dark){${rule(dark)}}`}</style>
  )
}
