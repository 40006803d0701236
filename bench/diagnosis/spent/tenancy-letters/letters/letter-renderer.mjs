import { findCatalog, phrase } from './catalogs.mjs';

export class LetterRenderer {
  constructor(layouts) {
    this.layouts = layouts;
    this.locale = 'fr';
  }

  async render(kind, tenancy, agent) {
    this.locale = agent.locale;
    const layout = await this.layouts.load(kind);
    const language = this.locale;
    const catalog = findCatalog(language);
    const fields = this.fieldsOf(tenancy, agent);
    const paragraphs = layout.keys.map((key) => this.fill(phrase(catalog, key), fields));
    return { to: tenancy.tenant, language, text: paragraphs.join('\n') };
  }

  fieldsOf(tenancy, agent) {
    return {
      tenant: tenancy.tenant,
      address: tenancy.address,
      rent: this.money(tenancy.rent),
      deposit: this.money(tenancy.deposit),
      moved: tenancy.moved,
      agent: agent.name,
    };
  }

  money(cents) {
    return new Intl.NumberFormat(this.locale, { minimumFractionDigits: 2 }).format(cents / 100);
  }

  fill(text, fields) {
    return text.replace(/\{(\w+)\}/g, (_match, name) => fields[name]);
  }
}
