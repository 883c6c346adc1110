/** Placeholder for the page while it is loading. */
export function LoadingPage() {
  return (
    <main className="mx-auto w-full max-w-5xl px-3 py-6 md:px-6">
      <p role="status" className="py-4 text-center text-muted">
        Caricamento offerte in corso...
      </p>
      <div aria-hidden className="grid animate-pulse grid-cols-2 gap-2.5 md:gap-4 lg:grid-cols-3">
        {[1, 2, 3, 4, 5, 6].map((card) => (
          <div key={card} className="rounded-card border border-line bg-surface p-3">
            <div className="aspect-square rounded-control bg-sunken" />
            <div className="mt-3 h-5 rounded bg-sunken" />
            <div className="mt-2 h-7 w-1/2 rounded bg-sunken" />
            <div className="mt-4 h-12 rounded-control bg-sunken" />
          </div>
        ))}
      </div>
    </main>
  )
}
