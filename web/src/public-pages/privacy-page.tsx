import { paths } from '@bancone/contract/pages'
import type { PrivacyPage as PrivacyPageData } from '@bancone/contract/privacy-texts'
import { PolicyText } from '../features/settings/policy-text.tsx'
import { formatDateTime } from '../lib/format.ts'

/** The privacy policy in force, for customers and for the staff. */
export function PrivacyPage({
  page: { text, version, publishedAt, back },
}: {
  page: PrivacyPageData
}) {
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-2xl flex-col px-4 py-6 md:px-6 md:py-10">
      <main className="flex-1">
        <a
          href={back?.path ?? paths.dashboard}
          className="inline-flex min-h-12 items-center text-accent underline underline-offset-4 hover:text-ink print:hidden"
        >
          {back ? `Torna a ${back.name}` : 'Torna alla Home'}
        </a>
        <h1 className="mt-2 text-2xl leading-tight font-medium tracking-tight md:text-3xl">
          Informativa sulla privacy
        </h1>
        <p className="mt-2 mb-5 text-sm text-muted">
          Versione {version}, in vigore dal {formatDateTime(publishedAt).slice(0, 10)}
        </p>
        <PolicyText text={text} />
      </main>
      <footer className="mt-8 text-sm text-muted">
        <p>Powered by Bancone</p>
      </footer>
    </div>
  )
}
