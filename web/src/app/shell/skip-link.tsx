/** The first focusable element of a page: skips the top bar. */
export function SkipLink() {
  return (
    <a
      href="#contenuto"
      onClick={(event) => {
        // The hash of the URL must not change: the list of orders stores its search text there.
        event.preventDefault()
        document.getElementById('contenuto')?.focus()
      }}
      className="fixed top-2 left-2 z-50 -translate-y-16 rounded-control bg-accent px-4 py-2 text-on-accent focus:translate-y-0 print:hidden"
    >
      Vai al contenuto
    </a>
  )
}
