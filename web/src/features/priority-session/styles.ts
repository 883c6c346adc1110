const pressed =
  // The transparent border becomes visible in forced colours mode, and marks the element as a button.
  'inline-flex items-center justify-center gap-2 rounded-control border text-center leading-tight font-medium select-none transition-colors duration-150 aria-disabled:opacity-60 [&_svg]:shrink-0'

/** The one thing to do. */
export const main = `${pressed} min-h-16 w-full border-transparent bg-accent px-4 py-3 text-xl text-on-accent not-aria-disabled:hover:bg-accent-strong [&_svg]:size-6`
export const secondary = `${pressed} min-h-12 border-line-strong bg-surface px-4 py-2 text-ink not-aria-disabled:hover:bg-sunken [&_svg]:size-4.5`
export const quiet = `${pressed} min-h-12 border-transparent px-3 py-2 text-accent not-aria-disabled:hover:bg-accent-soft [&_svg]:size-4.5`
export const card = 'rounded-card border border-line bg-surface p-4 sm:p-6'
export const calledCard = 'rounded-card border-2 border-accent bg-accent-soft p-4 sm:p-6'
export const field =
  'min-h-12 w-full min-w-0 rounded-control border border-control bg-surface px-3 text-ink aria-invalid:border-danger'
