CREATE TABLE "payment_events" (
	"id" text PRIMARY KEY NOT NULL,
	"received_at" timestamp (6) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_invoices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"subscription_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"at" timestamp (6) with time zone NOT NULL,
	"description" text NOT NULL,
	"amount" integer NOT NULL,
	"paid" boolean NOT NULL,
	"period_start" timestamp (6) with time zone NOT NULL,
	"period_end" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "sandbox_invoices_once" UNIQUE("subscription_id","version")
);
--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "billing_cycle" text DEFAULT 'monthly' NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "anchor_at" timestamp (6) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "access_ends_at" timestamp (6) with time zone;--> statement-breakpoint
UPDATE "subscriptions" SET "anchor_at" = "current_period_start", "access_ends_at" = CASE WHEN "plan" = 'free_trial' THEN "current_period_end" ELSE "current_period_end" + interval '7 days' END;--> statement-breakpoint
ALTER TABLE "subscriptions" ALTER COLUMN "anchor_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ALTER COLUMN "access_ends_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "cancel_at_period_end" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "next_plan" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "next_cycle" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "past_due_since" timestamp (6) with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "ended_plan" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "provider" text DEFAULT 'sandbox' NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "customer_ref" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "subscription_ref" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "checkout_ref" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "sandbox_declines" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "tickets_taken" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "ticket_applied" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sandbox_invoices" ADD CONSTRAINT "sandbox_invoices_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_events_received" ON "payment_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "subscriptions_period_end" ON "subscriptions" USING btree ("current_period_end");--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_ref" UNIQUE("subscription_ref");