CREATE TABLE "saved_view_pins" (
	"user_id" uuid NOT NULL,
	"view_id" uuid NOT NULL,
	"pinned_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "saved_view_pins_user_id_view_id_pk" PRIMARY KEY("user_id","view_id")
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid,
	"project_id" uuid,
	"created_by" uuid,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"page" text NOT NULL,
	"params" jsonb NOT NULL,
	"created_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "saved_views_belong" CHECK (num_nonnulls("saved_views"."owner_id", "saved_views"."project_id") >= 1)
);
--> statement-breakpoint
ALTER TABLE "saved_view_pins" ADD CONSTRAINT "saved_view_pins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_view_pins" ADD CONSTRAINT "saved_view_pins_view_id_saved_views_id_fk" FOREIGN KEY ("view_id") REFERENCES "public"."saved_views"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "saved_view_pins_view" ON "saved_view_pins" USING btree ("view_id");--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_name" ON "saved_views" USING btree (coalesce("owner_id", "project_id"),coalesce("project_id", "owner_id"),"name_key");--> statement-breakpoint
CREATE INDEX "saved_views_owner" ON "saved_views" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "saved_views_project" ON "saved_views" USING btree ("project_id");