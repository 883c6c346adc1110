import type { ApiKey } from '@bancone/contract/api-keys'
import { formatDateTime } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'

const line = 'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3'
const list = 'divide-y divide-line rounded-card border border-line bg-surface'

type KeyListProps = {
  keys: readonly ApiKey[]
  onRevoke: (key: ApiKey, opener: HTMLElement) => void
}

export function KeyList({ keys, onRevoke }: KeyListProps) {
  return (
    <ul className={list}>
      {keys.map((key) => (
        <li key={key.id} className={line}>
          <div className="min-w-0 flex-1 basis-60">
            <p className="font-medium wrap-anywhere">{key.name}</p>
            <p className="mt-0.5 text-sm text-muted">
              <span className="font-mono text-xs">{key.start}…</span>
            </p>
            <p className="text-sm text-muted tabular-nums">
              Creata il {formatDateTime(key.createdAt)} ·{' '}
              {key.lastUsedAt === null ? 'mai usata' : `usata il ${formatDateTime(key.lastUsedAt)}`}
            </p>
          </div>
          <Button
            aria-label={`Revoca la chiave ${key.name}`}
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => onRevoke(key, currentTarget)}
          >
            Revoca
          </Button>
        </li>
      ))}
    </ul>
  )
}

export function KeyListSkeleton() {
  return (
    <Loading text="Caricamento delle chiavi in corso…" className={list}>
      {['w-40', 'w-56'].map((width) => (
        <div key={width} className={line}>
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className={`h-4.5 ${width}`} />
            <Skeleton className="h-3.5 w-24" />
            <Skeleton className="h-3.5 w-3/5" />
          </div>
          <Skeleton shape="control" className="h-9 w-20" />
        </div>
      ))}
    </Loading>
  )
}
