import { listWhatsAppDrafts, type WhatsAppDraft } from '@bancone/contract/whatsapp-drafts'
import { useRef } from 'react'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { useOpened } from '../../../lib/use-opened.ts'
import { useOverlayEntry } from '../../../lib/use-overlay-entry.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { DraftSheet } from './draft-sheet.tsx'

/** A failure is not shown: the page has its own signs that the server does not answer. */
const EVERY_MS = 30_000

/** Tells of orders that customers have written on WhatsApp. Nothing of their contents is shown before they are opened. */
export function DraftsBanner() {
  const { data } = useEndpoint(listWhatsAppDrafts, {}, { refetchInterval: EVERY_MS })
  const nothing = useRef<HTMLElement>(null)
  const opened = useOpened<WhatsAppDraft>(nothing)
  const entry = useOverlayEntry('whatsapp-draft')
  const drafts = data?.drafts ?? []
  const [first] = drafts
  return (
    <>
      {first ? (
        <Alert
          tone="notice"
          action={
            <Button
              size="small"
              aria-haspopup="dialog"
              onClick={({ currentTarget }) => {
                opened.open(first, currentTarget)
                entry.open()
              }}
            >
              Controlla
            </Button>
          }
        >
          {drafts.length === 1
            ? 'Un ordine arrivato su WhatsApp aspetta la tua conferma.'
            : `${drafts.length} ordini arrivati su WhatsApp aspettano la tua conferma.`}
        </Alert>
      ) : null}
      {opened.item && entry.isOpen ? (
        <DraftSheet
          key={opened.item.id}
          draft={opened.item}
          isWaiting
          onClose={entry.close}
          onReturnFocus={opened.returnFocus}
        />
      ) : null}
    </>
  )
}
