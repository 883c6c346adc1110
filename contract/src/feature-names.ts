import type { Feature } from './access.ts'

/** The Italian names of the features. */
export const featureNames: Readonly<Record<Feature, string>> = {
  offers: 'Pagina Offerte',
  analytics: 'Statistiche e Analytics',
  custom_branding: 'Branding Personalizzato',
  priority_access: 'Priority Access',
  priority_support: 'Supporto Prioritario',
  whatsapp_integration: 'Integrazione WhatsApp',
}
