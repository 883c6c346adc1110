type AvatarProps = {
  name: string
  /** A safe URL (see `webLink`). */
  image: string | null
}

/** Words that do not distinguish one pharmacy from another. */
const common = new Set([
  'di',
  'del',
  'dell',
  'della',
  'dei',
  'delle',
  'dott',
  'dott.ssa',
  'e',
  'la',
  'il',
  'farmacia',
])

/** The first letters of the first two distinctive words of the name. */
export function initials(name: string): string {
  const words = name.split(/[\s.\-–—'’]+/).filter((word) => /^\p{L}/u.test(word))
  const telling = words.filter((word) => !common.has(word.toLowerCase()))
  const [first = '', second = ''] = telling.length > 0 ? telling : words
  return (first.charAt(0) + second.charAt(0)).toUpperCase()
}

/** A logo, or initials. Decorative: the name is shown next to it. */
export function Avatar({ name, image }: AvatarProps) {
  if (image) {
    return (
      <img src={image} alt="" className="size-8 shrink-0 rounded-lg bg-surface object-contain" />
    )
  }
  return (
    <span
      aria-hidden
      className="grid size-8 shrink-0 place-items-center rounded-lg bg-accent-soft text-xs font-medium text-accent"
    >
      {initials(name)}
    </span>
  )
}
