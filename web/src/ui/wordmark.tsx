/** The logo and the name of the product. @param narrow hide the name on a phone */
export function Wordmark({ narrow = false }: { narrow?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2.5 text-base font-medium tracking-tight">
      <svg aria-hidden viewBox="0 0 32 32" className="size-7">
        <rect width="32" height="32" rx="8" className="fill-accent" />
        <path d="M13 5.5h6v5h5v6h-5v3.5h-6v-3.5H8v-6h5z" className="fill-on-accent" />
        <rect
          x="6"
          y="23"
          width="20"
          height="3.5"
          rx="1.75"
          className="fill-on-accent opacity-60"
        />
      </svg>
      <span className={narrow ? 'max-sm:sr-only' : undefined}>Bancone</span>
    </span>
  )
}
