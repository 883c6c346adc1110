/** The first stop of the keyboard on a page: over the bar to what the page is about. */
export function SkipLink() {
  return (
    <a
      href="#contenuto"
      onClick={(event) => {
        // The fragment of the address is the page's own: the list of orders keeps its words there.
        event.preventDefault()
        document.getElementById('contenuto')?.focus()
      }}
      className="fixed top-2 left-2 z-50 -translate-y-16 rounded-control bg-accent px-4 py-2 text-on-accent focus:translate-y-0"
    >
      Vai al contenuto
    </a>
  )
}
