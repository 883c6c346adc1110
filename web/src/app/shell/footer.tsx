import { paths } from '@bancone/contract/pages'

const year = new Date().getFullYear()

export function Footer() {
  return (
    <footer className="mx-auto flex w-full max-w-360 flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 py-5 text-sm text-muted lg:px-6 print:hidden">
      <p>© {year} Sistema di gestione ordini</p>
      <a
        href={paths.privacy}
        className="-mx-2 inline-flex min-h-11 items-center rounded px-2 underline-offset-4 hover:text-ink hover:underline md:min-h-8 pointer-coarse:min-h-11"
      >
        Privacy Policy
      </a>
    </footer>
  )
}
