CREATE TABLE "digest_choices" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"is_on" boolean NOT NULL,
	"changed_at" timestamp (6) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "digest_weeks" (
	"user_id" uuid NOT NULL,
	"week" date NOT NULL,
	"is_sent" boolean NOT NULL,
	"handled_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "digest_weeks_user_id_week_pk" PRIMARY KEY("user_id","week")
);
--> statement-breakpoint
ALTER TABLE "digest_choices" ADD CONSTRAINT "digest_choices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "digest_weeks" ADD CONSTRAINT "digest_weeks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "digest_weeks_week" ON "digest_weeks" USING btree ("week");