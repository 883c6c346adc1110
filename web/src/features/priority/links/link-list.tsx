import type { PriorityLink } from '@bancone/contract/priority'
import { CopyIconButton } from '../../../ui/copy-button.tsx'
import { WhatsAppAnchor } from './whatsapp-anchor.tsx'

type LinkListProps = {
  links: readonly PriorityLink[]
  /** The order numbers by record id; null where unknown. */
  numbers: ReadonlyMap<string, string | null>
}

/** The links of several orders, to be sent one after the other. */
export function LinkList({ links, numbers }: LinkListProps) {
  return (
    <ul aria-label="Link da inviare" className="divide-y divide-line border-y border-line">
      {links.map((link) => {
        const order = numbers.get(link.recordId) ?? link.recordId
        return (
          <li key={link.visitId} className="flex flex-wrap items-center gap-2 py-2.5">
            <p className="min-w-0 flex-1 font-medium tabular-nums wrap-anywhere">Ordine {order}</p>
            <WhatsAppAnchor link={link} order={order} look="secondary" />
            <CopyIconButton label={`Copia il link dell'ordine ${order}`} text={link.url} />
          </li>
        )
      })}
    </ul>
  )
}
