type AvatarProps = {
  name: string
  /** Already checked to be an http(s) address or a path of ours. */
  image: string | null
}

/** Words that most pharmacies have in their name, or that stand between two others. */
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

/** The first letters of the two words that tell a name from another. */
export function initials(name: string): string {
  const words = name.split(/[\s.\-–—'’]+/).filter((word) => /^\p{L}/u.test(word))
  const telling = words.filter((word) => !common.has(word.toLowerCase()))
  const [first = '', second = ''] = telling.length > 0 ? telling : words
  return (first.charAt(0) + second.charAt(0)).toUpperCase()
}

/** A logo, or initials. Decorative: the name stands beside it. */
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
