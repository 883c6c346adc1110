import { getPrivacyText } from '@bancone/contract/privacy-texts'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDateTime } from '../../lib/format.ts'
import { QueryStates } from '../../ui/query-states.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { PolicyText } from './policy-text.tsx'

const lines = ['w-full', 'w-11/12', 'w-5/6', 'w-3/4', 'w-2/3']

/** The privacy policy in force, with its version. */
export function PrivacyPage() {
  const query = useEndpoint(getPrivacyText, {})
  return (
    <article className="mx-auto w-full max-w-2xl px-4 py-10 md:py-14">
      <h1 className="text-3xl font-medium tracking-tight">Informativa sulla privacy</h1>
      <QueryStates query={query} skeleton={<PolicySkeleton />}>
        {({ text, version, publishedAt }) => (
          <>
            <p className="mt-2 mb-5 text-sm text-muted">
              Versione {version}, in vigore dal {formatDateTime(publishedAt).slice(0, 10)}
            </p>
            <PolicyText text={text} />
          </>
        )}
      </QueryStates>
    </article>
  )
}

function PolicySkeleton() {
  return (
    <Loading className="mt-6 flex flex-col gap-3">
      {lines.map((width) => (
        <Skeleton key={width} className={`h-4.5 ${width}`} />
      ))}
    </Loading>
  )
}
