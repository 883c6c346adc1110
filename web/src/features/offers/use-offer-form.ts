import type { OfferRecord } from '@bancone/contract/offers'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod/mini'
import { entryIndex, stepsBackTo } from '../../lib/use-overlay-entry.ts'
import { toastError } from '../../ui/toast.ts'
import type { OfferTask } from './offer-form-slot.ts'
import type { FormLink } from './offer-item.ts'
import { formatOffersAddress, NO_FORM, type OffersAddress } from './offers-address.ts'

/** History state of a form that was opened over the list: Back returns to the list. */
const Entry = z.object({ over: z.literal(true), beneath: z.number() })

type FormPart = Partial<Pick<OffersAddress, 'offerta' | 'copia'>>

/** Identifies a task. */
function keyOf({ offerta, copia }: FormPart): string | null {
  if (copia) return `copia ${copia}`
  return offerta ?? null
}

function partOf(task: OfferTask): FormPart {
  if (task.kind === 'new') return { offerta: 'nuova' }
  return task.kind === 'edit' ? { offerta: task.offer.id } : { copia: task.offer.id }
}

function taskOf({ offerta, copia }: FormPart, offers: readonly OfferRecord[]): OfferTask | null {
  if (offerta === 'nuova' && !copia) return { kind: 'new' }
  const offer = offers.find(({ id }) => id === (copia ?? offerta))
  return offer ? { kind: copia ? 'copy' : 'edit', offer } : null
}

/**
 * The task of the form by the URL. The offer stays as it was when the form was opened, because the form compares with
 * that state.
 *
 * @param offers undefined while they are loading
 */
export function useOfferForm(address: OffersAddress, offers: readonly OfferRecord[] | undefined) {
  const location = useLocation()
  const entry: unknown = location.state
  const navigate = useNavigate()
  const [opened, setOpened] = useState<{ key: string; task: OfferTask } | null>(null)
  const key = keyOf(address)
  const found = key !== null && key !== opened?.key && offers ? taskOf(address, offers) : null
  if (key !== null && found) setOpened({ key, task: found })
  if (key === null && opened) setOpened(null)
  const missing = key !== null && key !== opened?.key && offers !== undefined && found === null

  const addressOf = (part: FormPart) => ({
    search: formatOffersAddress({ ...address, ...NO_FORM, ...part }),
  })
  useEffect(() => {
    if (!missing) return
    toastError("L'offerta non c'è più.", { about: 'offer-form' })
    void navigate(
      { search: formatOffersAddress({ ...address, ...NO_FORM }) },
      { replace: true, state: null },
    )
  }, [missing, address, navigate])

  /** Opening another form replaces the history entry. */
  const link = (part: FormPart): FormLink => ({
    to: addressOf(part),
    replace: key !== null,
    state: key === null ? { over: true, beneath: entryIndex() } : entry,
  })
  function open(part: FormPart) {
    const { to, ...options } = link(part)
    void navigate(to, options)
  }

  return {
    /** The URL names a form, which may not be loaded yet. */
    isAsked: key !== null,
    task: key !== null && key === opened?.key ? opened.task : null,
    link,
    open,
    /** Sets the form's task, with the form's state of the offer. */
    go(task: OfferTask) {
      const part = partOf(task)
      const next = keyOf(part)
      if (next === null) return
      setOpened({ key: next, task })
      if (next !== key) open(part)
    },
    close() {
      const over = Entry.safeParse(entry).data
      if (over) void navigate(stepsBackTo(over.beneath))
      else void navigate(addressOf({}), { replace: true, state: null })
    },
  }
}
