import { paths } from '@bancone/contract/pages'

export function PublicFooter() {
  return (
    <footer className="mx-auto flex w-full max-w-5xl flex-wrap items-center justify-between gap-x-6 px-3 py-4 text-sm text-muted md:px-6">
      <p>Powered by Bancone</p>
      <a
        href={paths.privacy}
        className="inline-flex min-h-12 items-center underline underline-offset-4 hover:text-ink"
      >
        Privacy
      </a>
    </footer>
  )
}
