import type { OfferRecord } from '@bancone/contract/offers'
import { paths } from '@bancone/contract/pages'
import { Copy, EllipsisVertical, Link2, Pencil, Printer, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import { buttonStyle } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuSeparator, menuItemStyle } from '../../ui/menu.tsx'

export type OfferActions = {
  onEdit: () => void
  onCopy: () => void
  onLink: () => void
  onDelete: () => void
}

/** Menu with the actions on an offer. */
export function OfferMenu({ offer, actions }: { offer: OfferRecord; actions: OfferActions }) {
  return (
    <Menu
      onHover={false}
      label={
        <>
          <EllipsisVertical aria-hidden />
          <span className="sr-only">Azioni: {offer.fields.Nome_Prodotto}</span>
        </>
      }
      buttonClassName={buttonStyle({ look: 'quiet', size: 'square' })}
    >
      <MenuItem onSelect={actions.onEdit}>
        <Pencil aria-hidden />
        Modifica
      </MenuItem>
      <MenuItem onSelect={actions.onCopy}>
        <Copy aria-hidden />
        Duplica
      </MenuItem>
      <MenuItem onSelect={actions.onLink}>
        <Link2 aria-hidden />
        Copia link
      </MenuItem>
      <Link
        to={`${paths.offerSheets}?offerte=${offer.id}`}
        role="menuitem"
        tabIndex={-1}
        className={menuItemStyle()}
      >
        <Printer aria-hidden />
        Stampa
      </Link>
      <MenuSeparator />
      <MenuItem tone="danger" onSelect={actions.onDelete}>
        <Trash2 aria-hidden />
        Elimina
      </MenuItem>
    </Menu>
  )
}
