/** Badge of an order that no user of the pharmacy has seen. */
export function NewMark() {
  return (
    <span className="inline-flex items-center gap-1 rounded-full bg-accent-soft px-1.5 text-xs leading-4.5 font-medium text-accent print:hidden">
      <span aria-hidden className="size-1.5 rounded-full bg-accent" />
      Nuovo
    </span>
  )
}
