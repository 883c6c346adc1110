/** Height of a comfortable touch target. The label may take two lines: cards are narrow. */
const pressed = [
  // The transparent border becomes visible in forced colours mode, and marks the element as a button.
  'inline-flex min-h-12 items-center justify-center gap-2 rounded-control border px-3 py-2 text-center leading-tight',
  'font-medium select-none transition-colors duration-150 aria-disabled:opacity-55 [&_svg]:size-4.5 [&_svg]:shrink-0',
].join(' ')

export const primary = `${pressed} border-transparent bg-accent text-on-accent not-aria-disabled:hover:bg-accent-strong`
export const secondary = `${pressed} border-line-strong bg-surface text-ink not-aria-disabled:hover:bg-sunken`
export const quiet = `${pressed} border-transparent text-accent not-aria-disabled:hover:bg-accent-soft`
/** A button with only an icon. */
export const square =
  'grid size-12 shrink-0 place-items-center rounded-control text-muted transition-colors duration-150 hover:bg-sunken hover:text-ink aria-disabled:opacity-40 [&_svg]:size-5'
