import type { Freshness } from '@bancone/contract/order-health'
import { TriangleAlert } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { healthSummary } from './copy-health-texts.ts'

type CopyHealthLineProps = {
  freshness: Freshness | undefined
  onOpen: (opener: HTMLElement) => void
}

/** A line of text when the copy has a problem, with a button for the details. */
export function CopyHealthLine({ freshness, onOpen }: CopyHealthLineProps) {
  const summary = freshness ? healthSummary(freshness) : null
  if (summary === null) return null
  return (
    <p className="flex gap-2 text-sm text-muted print:hidden">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-pending" />
      <span>
        {summary}{' '}
        <Button
          look="link"
          size="bare"
          className="relative before:absolute before:inset-x-0 before:-inset-y-3"
          onClick={({ currentTarget }) => onOpen(currentTarget)}
        >
          Stato della copia
        </Button>
      </span>
    </p>
  )
}
