CREATE TABLE "mail_sends" (
	"id" uuid PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"at" timestamp (6) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "mail_sends_key" ON "mail_sends" USING btree ("key","at");--> statement-breakpoint
CREATE INDEX "mail_sends_at" ON "mail_sends" USING btree ("at");