/** The first stop of the keyboard on a page: over the bar to what the page is about. */
export function SkipLink() {
  return (
    <a
      href="#contenuto"
      className="fixed top-2 left-2 z-50 -translate-y-16 rounded-control bg-accent px-4 py-2 text-on-accent focus:translate-y-0"
    >
      Vai al contenuto
    </a>
  )
}
