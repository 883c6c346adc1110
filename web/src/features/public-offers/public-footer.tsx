import { countingPath, privacyPath } from '@bancone/contract/pages'

const link = 'inline-flex min-h-12 items-center underline underline-offset-4 hover:text-ink'

/** @param code the pharmacy's readable code; null where there is no pharmacy */
export function PublicFooter({ code }: { code: string | null }) {
  return (
    <footer className="mx-auto flex w-full max-w-5xl flex-wrap items-center justify-between gap-x-6 px-3 py-4 text-sm text-muted md:px-6">
      <p>Powered by Bancone</p>
      <p className="flex flex-wrap gap-x-6">
        {code === null ? null : (
          <a href={countingPath(code)} className={link}>
            Che cosa contiamo
          </a>
        )}
        <a href={privacyPath(code)} className={link}>
          Privacy
        </a>
      </p>
    </footer>
  )
}
